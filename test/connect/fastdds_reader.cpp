// A node that knows nothing of Hawser: reads geometry_msgs/PoseStamped, or sensor_msgs/PointCloud2 where the topic ends in `points`,
// through Fast DDS, as ROS 2's default middleware does, with types written by hand. Prints the first message. usage: fastdds_reader DOMAIN TOPIC
#include <fastcdr/Cdr.h>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/subscriber/qos/DataReaderQos.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using namespace eprosima::fastdds::dds;
using eprosima::fastrtps::rtps::InstanceHandle_t;
using eprosima::fastrtps::rtps::SerializedPayload_t;

struct PoseStamped {
    int32_t sec;
    uint32_t nanosec;
    std::string frame;
    double values[7];
};

class PoseStampedType : public TopicDataType {
  public:
    PoseStampedType() {
        setName("geometry_msgs::msg::dds_::PoseStamped_");
        m_typeSize = 400;
        m_isGetKeyDefined = false;
    }
    bool serialize(void*, SerializedPayload_t*) override { return false; }
    bool deserialize(SerializedPayload_t* payload, void* data) override {
        auto* out = static_cast<PoseStamped*>(data);
        eprosima::fastcdr::FastBuffer buffer(reinterpret_cast<char*>(payload->data), payload->length);
        eprosima::fastcdr::Cdr cdr(buffer, eprosima::fastcdr::Cdr::DEFAULT_ENDIAN,
                                   eprosima::fastcdr::Cdr::DDS_CDR);
        cdr.read_encapsulation();
        cdr >> out->sec >> out->nanosec >> out->frame;
        for (double& value : out->values) cdr >> value;
        return true;
    }
    std::function<uint32_t()> getSerializedSizeProvider(void*) override {
        return [] { return 400u; };
    }
    void* createData() override { return new PoseStamped(); }
    void deleteData(void* data) override { delete static_cast<PoseStamped*>(data); }
    bool getKey(void*, InstanceHandle_t*, bool) override { return false; }
};

struct PointCloud2 {
    int32_t sec;
    uint32_t nanosec, height, width, step;
    std::string frame;
    std::vector<uint8_t> data;
};

class PointCloud2Type : public TopicDataType {
  public:
    PointCloud2Type() {
        setName("sensor_msgs::msg::dds_::PointCloud2_");
        m_typeSize = 4 << 20;
        m_isGetKeyDefined = false;
    }
    bool serialize(void*, SerializedPayload_t*) override { return false; }
    bool deserialize(SerializedPayload_t* payload, void* data) override {
        auto* out = static_cast<PointCloud2*>(data);
        eprosima::fastcdr::FastBuffer buffer(reinterpret_cast<char*>(payload->data), payload->length);
        eprosima::fastcdr::Cdr cdr(buffer, eprosima::fastcdr::Cdr::DEFAULT_ENDIAN,
                                   eprosima::fastcdr::Cdr::DDS_CDR);
        cdr.read_encapsulation();
        uint32_t fields, row;
        bool big, dense;
        cdr >> out->sec >> out->nanosec >> out->frame >> out->height >> out->width >> fields;
        for (uint32_t i = 0; i < fields; ++i) {
            std::string name;
            uint32_t offset, count;
            uint8_t type;
            cdr >> name >> offset >> type >> count;
        }
        cdr >> big >> out->step >> row >> out->data >> dense;
        return !big && dense && row == out->width * out->step;
    }
    std::function<uint32_t()> getSerializedSizeProvider(void*) override {
        return [] { return 4u << 20; };
    }
    void* createData() override { return new PointCloud2(); }
    void deleteData(void* data) override { delete static_cast<PointCloud2*>(data); }
    bool getKey(void*, InstanceHandle_t*, bool) override { return false; }
};

static bool PrintPose(DataReader* reader) {
    PoseStamped pose;
    SampleInfo info;
    if (reader->take_next_sample(&pose, &info) != ReturnCode_t::RETCODE_OK || !info.valid_data) return false;
    std::printf("%s %.9g %.9g %.9g\n", pose.frame.c_str(), pose.values[0], pose.values[1], pose.values[2]);
    return true;
}

// Frame, number of points, and how far away the nearest loud one ahead is.
static bool PrintPoints(DataReader* reader) {
    PointCloud2 cloud;
    SampleInfo info;
    if (reader->take_next_sample(&cloud, &info) != ReturnCode_t::RETCODE_OK || !info.valid_data) return false;
    float nearest = 1e9f;
    for (size_t at = 0; at + 16 <= cloud.data.size(); at += cloud.step) {
        float point[4];
        std::memcpy(point, cloud.data.data() + at, sizeof(point));
        if (std::fabs(point[1]) < 0.1f && point[3] > 0.1f && point[0] < nearest) nearest = point[0];
    }
    std::printf("%s %u %.9g\n", cloud.frame.c_str(), cloud.width, static_cast<double>(nearest));
    return true;
}

int main(int count, char** arguments) {
    if (count < 3) return 2;
    DomainParticipantQos qos;
    // loopback only: no shared memory, no other network
    auto transport = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
    transport->interfaceWhiteList.push_back("127.0.0.1");
    qos.transport().use_builtin_transports = false;
    qos.transport().user_transports.push_back(transport);
    auto* participant =
        DomainParticipantFactory::get_instance()->create_participant(std::atoi(arguments[1]), qos);
    if (!participant) return 3;
    std::string name = arguments[2];
    bool points = name.size() > 6 && name.compare(name.size() - 6, 6, "points") == 0;
    TypeSupport type(points ? static_cast<TopicDataType*>(new PointCloud2Type()) : new PoseStampedType());
    type.register_type(participant);
    auto* topic = participant->create_topic(name, type.get_type_name(), TOPIC_QOS_DEFAULT);
    auto* subscriber = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
    DataReaderQos readerQos = DATAREADER_QOS_DEFAULT;
    readerQos.reliability().kind = RELIABLE_RELIABILITY_QOS;
    auto* reader = topic && subscriber ? subscriber->create_datareader(topic, readerQos) : nullptr;
    if (!reader) return 3;
    for (int turn = 0; turn < 150; ++turn) {
        if (!reader->wait_for_unread_message({0, 100000000u})) continue;
        if (points ? PrintPoints(reader) : PrintPose(reader)) return 0;
    }
    std::printf("nothing came\n");
    return 1;
}
